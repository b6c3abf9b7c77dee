/** Parses the settings of the mail server. */

export type MailSettings = {
  host: string
  port: number
  /** TLS from the first byte (smtps); otherwise STARTTLS. */
  implicitTls: boolean
  /** Null: no sign-in. */
  user: string | null
  /** The absolute path of the file with the user's password; read each time a mail is sent. */
  passwordFile: string | null
  /** The sender, as in a mail's header: an address, or a name and an address in angle brackets. */
  from: string
}

type Given = { SMTP_URL?: string | undefined; SMTP_PASSWORD_FILE?: string | undefined; MAIL_FROM?: string | undefined }

/** Null without SMTP_URL; a sentence for the operator if the settings do not fit together. */
export function parseMail(given: Given, at: (file: string) => string): MailSettings | { invalid: string } | null {
  if (given.SMTP_URL === undefined) return null
  const url = new URL(given.SMTP_URL)
  if (url.password !== '') return { invalid: 'SMTP_URL must not contain a password: name a file that contains it in SMTP_PASSWORD_FILE.' }
  if (given.MAIL_FROM === undefined)
    return { invalid: 'MAIL_FROM is missing: SMTP_URL needs the sender of mails, such as gatehouse@example.org.' }
  const user = url.username === '' ? null : decodeURIComponent(url.username)
  if ((user === null) !== (given.SMTP_PASSWORD_FILE === undefined)) {
    return { invalid: 'Give both a user in SMTP_URL and SMTP_PASSWORD_FILE, or neither.' }
  }
  const implicitTls = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (implicitTls ? 465 : 587) : Number(url.port),
    implicitTls,
    user,
    passwordFile: given.SMTP_PASSWORD_FILE === undefined ? null : at(given.SMTP_PASSWORD_FILE),
    from: given.MAIL_FROM,
  }
}
