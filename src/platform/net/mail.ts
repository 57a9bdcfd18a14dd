import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { NodemailerError, SendMailOptions } from 'nodemailer'

/**
 * Sends e-mail through a mail server, or writes it to a folder when none is configured. API callers name the
 * recipient, so every field is limited to one recipient and one line: otherwise a scan could send e-mail to a
 * list of addresses in our name.
 */
export interface Mailer {
  /**
   * Sends one e-mail to one recipient. The same `messageId` means the same e-mail: mail servers drop a
   * repeat, and in the folder it replaces the first.
   *
   * @throws MailError
   */
  send(mail: Mail): Promise<void>
  /** Aborts the e-mail that is being sent. Nothing is sent afterwards. */
  close(): void
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A page to open in a browser. */
  readonly attachedPage?: { readonly name: string; readonly html: string } | undefined
  /**
   * At most 100 letters, digits, `.`, `_` and `-`. The part of the Message-ID before the @, and the file's
   * name.
   */
  readonly messageId: string
}

export interface MailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; `?requireTLS=true` refuses a server without STARTTLS. */
  readonly smtpUrl?: string | undefined
  /** Gets an `.eml` file for each e-mail when there is no `smtpUrl`. */
  readonly folder: string
  /** `scans@example.com` or `Tollgate <scans@example.com>`. */
  readonly from: string
  /** For one e-mail, from the lookup of the server's name to its last reply. */
  readonly deadlineMs?: number
}

/**
 * An e-mail was not sent. The error has no text of the mail server and no cause, because servers repeat the
 * recipient's address and errors are logged.
 */
export class MailError extends Error {
  /** The server refused the recipient or the e-mail permanently: another attempt would be refused too. */
  readonly isPermanent: boolean
  /** Another e-mail would not be sent either: the server does not reply, or refuses our login. */
  readonly isOutage: boolean

  constructor(message: string, isPermanent: boolean, isOutage = false) {
    super(message)
    this.name = 'MailError'
    this.isPermanent = isPermanent
    this.isOutage = isOutage
  }
}

export function createMailer({ smtpUrl, folder, from, deadlineMs = 60_000 }: MailOptions): Mailer {
  const closing = new AbortController()
  const deliver = smtpUrl === undefined ? intoFolder(folder) : overSmtp(smtpUrl)
  const domain = /@([^\s@<>]+)>?$/.exec(from.trim())?.[1] ?? 'localhost'
  return {
    async send(mail) {
      checkMail(mail)
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(deadlineMs)])
      await deliver(
        mail.messageId,
        {
          from,
          // An object, because a text would be read as a list of addresses.
          to: { name: '', address: mail.to },
          subject: mail.subject.replace(/[\p{Cc}\s]+/gu, ' ').trim(),
          text: mail.text,
          html: mail.html,
          ...(mail.attachedPage && {
            attachments: [
              {
                filename: mail.attachedPage.name,
                content: mail.attachedPage.html,
                contentType: 'text/html; charset=utf-8',
              },
            ],
          }),
          messageId: `<${mail.messageId}@${domain}>`,
          // Otherwise an automatic reply could start two machines writing to each other forever.
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

type Deliver = (id: string, mail: SendMailOptions, signal: AbortSignal) => Promise<void>

const address = /^[^\s\p{Cc}@<>(),;:\\"[\]]{1,64}@[^\s\p{Cc}@<>(),;:\\"[\]]{1,255}$/u
const identifier = /^[a-z0-9_-][a-z0-9._-]{0,99}$/i

function checkMail({ to, messageId }: Mail): void {
  if (!address.test(to)) throw new MailError('the recipient is not one e-mail address', true)
  if (!identifier.test(messageId))
    throw new MailError('the message id contains characters that are not allowed', true)
}

/** Loaded with the first e-mail. */
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
  return async (_id, mail, signal) => {
    try {
      const { createTransport } = await nodemailer()
      await createTransport(settings).sendMail({ ...mail, signal })
    } catch (error) {
      throw mailError(error)
    }
  }
}

/** Parameters of the URL can make the library print whole conversations, which name the recipient. */
function withoutLogging(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const option of ['logger', 'debug', 'transactionLog']) url.searchParams.delete(option)
  return url.href
}

/**
 * Only a reply to the recipient or to the e-mail itself is permanent. A refused login or sender is a fault
 * that the operator can fix, and then the e-mail can be sent.
 */
function mailError(error: unknown): MailError {
  const { code, responseCode, permanent, command }: NodemailerError =
    error instanceof Error ? error : unknownFault
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  const reply = responseCode === undefined ? '' : `, the server replied ${responseCode}`
  const message = `the e-mail was not sent (${code ?? 'unknown'}${reply})`
  return new MailError(message, permanent === true && isAboutMail, !isAboutMail)
}

const unknownFault = new Error('unknown')

function intoFolder(folder: string): Deliver {
  return async (id, mail, signal) => {
    try {
      const { createTransport } = await nodemailer()
      const { default: writeFileAtomic } = await import('write-file-atomic')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail({ ...mail, signal })
      const bytes = message instanceof Readable ? await buffer(message) : message
      await mkdir(folder, { recursive: true, mode: 0o700 })
      signal.throwIfAborted()
      // Only our own user may read it.
      await writeFileAtomic(join(folder, `${id}.eml`), bytes, { mode: 0o600 })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      throw new MailError(`the e-mail was not written (${code})`, false, true)
    }
  }
}
