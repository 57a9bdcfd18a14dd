import type { PricingDocument } from '../handlers/service/pricing.ts'

/** What people ask first, with the answers: for the home page, its facts for machines, and its markdown. */
export interface Question {
  readonly question: string
  readonly answer: string
}

export function questionsOf({ asset, network }: Pick<PricingDocument, 'asset' | 'network'>): Question[] {
  return [
    {
      question: 'How does a program pay for a call?',
      answer: `It calls the endpoint and gets status 402 with the price in the PAYMENT-REQUIRED header. It signs that payment in ${asset} on ${network}, and sends the call again with the PAYMENT-SIGNATURE header. The PAYMENT-RESPONSE header of the reply is the receipt.`,
    },
    {
      question: 'Do I need an account or an API key?',
      answer:
        'A paid call needs neither: the signature of a wallet is enough. Some calls have a free quota for each client. An API key, sent in the x-mcp-api-key header, opens the calls of its tier.',
    },
    {
      question: 'What happens when a call fails after I have signed?',
      answer:
        'A call that fails is not charged, unless the price list says otherwise for its operation. When the reply is lost on its way, the same request with the same payment fetches it, and the payer is not charged again.',
    },
    {
      question: 'Where does an agent find the description of this API?',
      answer:
        'The price list, the guide for agents and the API reference are linked on this page. Its Link header names the catalog of APIs, OpenAPI, llms.txt and the sitemap.',
    },
  ]
}
