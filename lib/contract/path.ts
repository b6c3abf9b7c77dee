/** Paths of operations: rendered by clients, matched by the service. */
import { operations } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { type Problem, problem } from '@/lib/contract/problem'

/** An id or name that must not be part of a path. Nothing was sent. */
export class PathIdRefused extends Error {
  /** The parameter of the path, such as server_id. */
  readonly parameter: string
  constructor(parameter: string) {
    super(`The value of ${parameter} cannot be part of an address.`)
    this.name = 'PathIdRefused'
    this.parameter = parameter
  }
}

/** The result of matching a path. If two operations share it, the fields of the body decide. */
export type Match = { operations: readonly Operation[]; pathParameters: Record<string, string> }

/**
 * Only letters, digits and - _ . ~ : @, and never a leading dot: nothing that any URL parser would decode, resolve
 * or split.
 */
const pathId = /^[A-Za-z0-9_~:@-][A-Za-z0-9_.~:@-]{0,127}$/

/** Whether a value may be one segment of a path. */
function isPathId(value: unknown): value is string {
  return typeof value === 'string' && pathId.test(value) && !value.includes('..')
}

const segmentsOf = (path: string): string[] => path.replace(/^\//, '').replace(/\/$/, '').split('/')

const parameterOf = (segment: string): string | null => (segment.startsWith('{') ? segment.slice(1, -1) : null)

type Template = { segments: readonly string[]; literals: number; operations: Operation[] }

function collectTemplates(): Template[] {
  const byPath = new Map<string, Template>()
  for (const operation of operations) {
    const segments = segmentsOf(operation.path)
    const template = byPath.get(operation.path) ?? {
      segments,
      literals: segments.filter((segment) => parameterOf(segment) === null).length,
      operations: [],
    }
    template.operations.push(operation)
    byPath.set(operation.path, template)
  }
  return [...byPath.values()]
}

/** More literal templates first, so that /sites/create is never a site called "create". */
const templates: readonly Template[] = collectTemplates().sort((one, other) => other.literals - one.literals)

function readParameters(template: Template, segments: readonly string[]): Record<string, string> | null {
  if (template.segments.length !== segments.length) return null
  const parameters: Record<string, string> = {}
  for (const [index, expected] of template.segments.entries()) {
    const segment = segments[index]
    const parameter = parameterOf(expected)
    if (parameter === null && segment !== expected) return null
    if (parameter !== null && !isPathId(segment)) return null
    if (parameter !== null && segment !== undefined) parameters[parameter] = segment
  }
  return parameters
}

function findTemplate(pathname: string): { template: Template; pathParameters: Record<string, string> } | null {
  if (!pathname.startsWith('/')) return null
  const segments = segmentsOf(pathname)
  for (const template of templates) {
    const pathParameters = readParameters(template, segments)
    if (pathParameters) return { template, pathParameters }
  }
  return null
}

/** HEAD is answered like GET, but must never start anything. */
const isCalledBy = ({ method, effect }: Operation, given: string): boolean =>
  method === given || (given === 'HEAD' && method === 'GET' && effect === 'read')

/** The methods of a path, for the Allow header; empty for an unknown path. */
export function methodsOf(pathname: string): string[] {
  const sharing = findTemplate(pathname)?.template.operations ?? []
  return ['GET', 'HEAD', 'POST'].filter((method) => sharing.some((operation) => isCalledBy(operation, method)))
}

/**
 * Matches a request by method and path, with or without a trailing slash.
 * @param pathname as sent, not decoded, without query
 * @returns the operations that share the path, or `not_found` or `method_not_allowed`; HEAD matches reads
 */
export function matchRequest(method: string, pathname: string): Match | Problem {
  const found = findTemplate(pathname)
  if (!found) return problem('not_found')
  const sharing = found.template.operations.filter((operation) => isCalledBy(operation, method))
  return sharing.length === 0 ? problem('method_not_allowed') : { operations: sharing, pathParameters: found.pathParameters }
}

/**
 * Renders the path of an operation.
 * @throws PathIdRefused if a value is missing, could be parsed as more than one segment, or makes the path another operation's
 */
export function renderPath(operation: Pick<Operation, 'id' | 'method' | 'path'>, values: Readonly<Record<string, unknown>>): string {
  let last = 'path'
  const path = operation.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    last = parameter
    const value = values[parameter]
    if (!isPathId(value)) throw new PathIdRefused(parameter)
    return value
  })
  const match = matchRequest(operation.method, path)
  if (!('operations' in match) || !match.operations.some((candidate) => candidate.id === operation.id)) throw new PathIdRefused(last)
  return path
}
