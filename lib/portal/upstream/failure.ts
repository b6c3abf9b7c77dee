/** Turns network and protocol errors of upstream calls into problems. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { AddressRefused } from './connector'
import { TooLarge } from './exchange'
import { GivenUp, TooSlow } from './watch'

/** A failed exchange, with its problem; iterating a stream throws it. */
export class UpstreamFailure extends Error {
  override name = 'UpstreamFailure'
  readonly problem: Problem

  constructor(what: Problem) {
    super(what.sentence)
    this.problem = what
  }
}

const tlsCodes = /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/
const garbledCodes = /^(HPE_|UND_ERR_RES_EXCEEDED|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID_ARG|ERR_INVALID_CHAR)/

/** Never includes the error's own text, which may contain addresses, headers, or the service's data. */
export function problemOf(error: unknown, sent: boolean): Problem {
  if (error instanceof UpstreamFailure) return error.problem
  if (error instanceof AddressRefused) return problem('address_refused')
  if (error instanceof TooLarge) return problem('upstream_too_large')
  if (error instanceof TooSlow) return problem('upstream_too_slow')
  if (error instanceof GivenUp) return problem('upstream_unreachable', { sentence: 'The call was aborted before the answer arrived.' })
  const code = codeOf(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return problem('upstream_too_large')
  if (garbledCodes.test(code)) return problem('upstream_not_understood')
  if (!sent && tlsCodes.test(code)) return problem('upstream_insecure')
  if (sent) return problem('upstream_unreachable', { sentence: 'The response of the service was cut off.' })
  return problem('upstream_unreachable')
}

/** The code of an error or of its cause. Several attempts at one name give a list of errors; the first one counts. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const own = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (own && own !== 'UND_ERR_SOCKET') return own
  const inner = codeOf(error instanceof AggregateError ? error.errors[0] : error.cause)
  return inner || own
}
