/** Prism in front of a service: forwards each call, and answers with an error what its OpenAPI document does not allow. */
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { loadPackage } from './load-package'

type PrismHttp = { getHttpOperationsFromSpec(document: object): Promise<object[]> }
type PrismServer = { listen(port: number, address: string): Promise<string>; close(): Promise<void> }
type PrismHttpServer = { createServer(operations: object[], options: object): PrismServer }

const { getHttpOperationsFromSpec } = await loadPackage<PrismHttp>('@stoplight/prism-http')
const { createServer } = await loadPackage<PrismHttpServer>('@stoplight/prism-http-server')

export type ValidatingProxy = AsyncDisposable & {
  baseUrl: string
  /** What was wrong with requests or answers, in Prism's words. */
  violations: readonly string[]
}

export async function startPrism(upstream: string): Promise<ValidatingProxy> {
  const document: unknown = await (await fetch(`${upstream}/openapi.json`)).json()
  const violations: string[] = []
  const sink = new Writable({
    write(line: Buffer, _, done) {
      violations.push(String(line))
      done()
    },
  })
  const server = createServer(await getHttpOperationsFromSpec(document as object), {
    components: { logger: pino({ level: 'warn' }, sink) },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
      upstreamProxy: undefined,
    },
    cors: false,
  })
  const baseUrl = await server.listen(0, '127.0.0.1')
  return { baseUrl, violations, [Symbol.asyncDispose]: () => server.close() }
}
