/** Responses whose body is one text, which the front sends at once instead of reading it back from the stream that Response makes of it. */
import 'server-only'

export class WholeResponse extends Response {
  /** The whole body. */
  readonly whole: string

  constructor(whole: string, init?: ResponseInit) {
    super(whole, init)
    this.whole = whole
  }
}

/** Like Response.json. */
export const jsonResponse = (body: unknown, init: ResponseInit = {}): WholeResponse => jsonText(JSON.stringify(body), init)

/** The same for what is JSON already. */
export function jsonText(text: string, init: ResponseInit = {}): WholeResponse {
  const headers = new Headers(init.headers)
  headers.set('content-type', 'application/json')
  return new WholeResponse(text, { ...init, headers })
}
