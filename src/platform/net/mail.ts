import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NodemailerError, SendMailOptions } from 'nodemailer'

/**
 * Hands a letter to a mail server, or lays it into a folder where none is configured. A caller of the
 * service names the recipient, so every field is held to one recipient and one line: otherwise a scan
 * could be used to send letters to a list of strangers in our name.
 */
export interface Mailer {
  /**
   * One letter to one recipient. Sent again with the same `messageId` it is the same letter: mail servers
   * drop the double, and in the folder it takes the place of the first.
   * @throws MailError
   */
  send(mail: Mail): Promise<void>
  /** Gives up what is under way; nothing is sent afterwards. */
  close(): void
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Letters, digits, `.`, `_` and `-`, at most 100; stands before the @ of the Message-ID and names the file. */
  readonly messageId: string
}

export interface MailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; `?requireTLS=true` refuses a server without STARTTLS. */
  readonly smtpUrl?: string | undefined
  /** Where letters are laid as `.eml` files when there is no `smtpUrl`. */
  readonly folder: string
  /** `scans@example.com` or `Tollgate <scans@example.com>`. */
  readonly from: string
  /** For one letter, from the look-up of the server's name to its last answer. */
  readonly deadlineMs?: number
}

/**
 * Says that a letter did not go out. It carries no text of the mail server and no cause: servers like to
 * repeat the recipient's address, and errors are logged.
 */
export class MailError extends Error {
  /** The recipient or the letter is refused for good; sending it again would be refused again. */
  readonly isPermanent: boolean
  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.name = 'MailError'
    this.isPermanent = isPermanent
  }
}

export function createMailer({ smtpUrl, folder, from, deadlineMs = 60_000 }: MailOptions): Mailer {
  const closing = new AbortController()
  const deliver = smtpUrl === undefined ? intoFolder(folder) : overSmtp(smtpUrl)
  const domain = /@([^\s@<>]+)>?$/.exec(from.trim())?.[1] ?? 'localhost'
  return {
    async send(mail) {
      refuseFaulty(mail)
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(deadlineMs)])
      await deliver(
        mail.messageId,
        {
          from,
          // As an object, and not as text that would be read as a list of addresses.
          to: { name: '', address: mail.to },
          subject: mail.subject.replace(/[\p{Cc}\s]+/gu, ' ').trim(),
          text: mail.text,
          html: mail.html,
          messageId: `<${mail.messageId}@${domain}>`,
          // Without it an absent recipient's mailbox answers, and two machines may write to each other for ever.
          headers: { 'Auto-Submitted': 'auto-generated' },
          xMailer: false,
          disableFileAccess: true,
          disableUrlAccess: true,
        },
        signal,
      )
    },
    close() {
      closing.abort()
    },
  }
}

type Deliver = (id: string, letter: SendMailOptions, signal: AbortSignal) => Promise<void>

const address = /^[^\s\p{Cc}@<>(),;:\\"[\]]{1,64}@[^\s\p{Cc}@<>(),;:\\"[\]]{1,255}$/u
const identifier = /^[a-z0-9_-][a-z0-9._-]{0,99}$/i

function refuseFaulty({ to, messageId }: Mail): void {
  if (!address.test(to)) throw new MailError('the recipient is not one e-mail address', true)
  if (!identifier.test(messageId)) throw new MailError('the message id has characters it may not have', true)
}

/** Nothing of it is loaded until there is something to send. */
const nodemailer = () => import('nodemailer')

function overSmtp(smtpUrl: string): Deliver {
  const settings = {
    url: withoutLogging(smtpUrl),
    dnsTimeout: 5_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    maxResponseSize: 64_000,
  }
  return async (_id, letter, signal) => {
    try {
      const { createTransport } = await nodemailer()
      await createTransport(settings).sendMail({ ...letter, signal })
    } catch (error) {
      throw mailError(error)
    }
  }
}

/** The library can be told by the URL to print whole conversations, which name the recipient. */
function withoutLogging(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const option of ['logger', 'debug', 'transactionLog']) url.searchParams.delete(option)
  return url.href
}

/**
 * Only an answer to the recipient or to the letter itself is final. A refused log-in or sender is a fault
 * of ours that the operator mends, and the letter is worth sending then.
 */
function mailError(error: unknown): MailError {
  const { code, responseCode, permanent, command }: NodemailerError =
    error instanceof Error ? error : unknownFault
  const isPermanent = permanent === true && (command === 'RCPT TO' || command === 'DATA')
  const answer = responseCode === undefined ? '' : `, the server answered ${responseCode}`
  return new MailError(`the letter was not sent (${code ?? 'unknown'}${answer})`, isPermanent)
}

const unknownFault = new Error('unknown')

function intoFolder(folder: string): Deliver {
  return async (id, letter, signal) => {
    try {
      const { createTransport } = await nodemailer()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail({ ...letter, signal })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeWhole(join(folder, `${id}.eml`), message, signal)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      throw new MailError(`the letter was not written (${code})`, false)
    }
  }
}

/** A letter is whole or not there, and only our own user reads it. */
async function writeWhole(
  file: string,
  message: Parameters<typeof writeFile>[1],
  signal: AbortSignal,
): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(draft, message, { mode: 0o600, signal })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
