/** Parses the data of one stream event tolerantly. */
import type { ProgressEvent } from '@/lib/contract/events'
import { isJsonObject, parseJson } from '@/lib/contract/json'
import { readTexts } from '@/lib/contract/sentence'

const statuses: ReadonlySet<unknown> = new Set(['running', 'done', 'failed'])

const isStatus = (value: unknown): value is 'running' | 'done' | 'failed' => statuses.has(value)

const asText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** "62", 62 and "62%" are equivalent; limited to 0–100. */
function asProgress(value: unknown): number | undefined {
  const text = asText(value)?.trim().replace(/%$/, '')
  const number = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), 100) : undefined
}

function asId(value: unknown): number | undefined {
  const text = asText(value)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/**
 * Drops an unknown status, so that it never counts as done. An error without a status means failed: as an ordinary line, it could
 * be followed by a false "done".
 */
function findStatus(body: Record<string, unknown>, error: string | undefined): ProgressEvent['status'] {
  if (isStatus(body.status)) return body.status
  return error || body.success === false ? 'failed' : undefined
}

function readEvent(body: Record<string, unknown>, lineId: number | null): ProgressEvent {
  const step = asText(body.step)
  const progress = asProgress(body.progress)
  const error = asText(body.error) ?? (readTexts(body.error).join(' ') || readTexts(body.errors).join(' '))
  const status = findStatus(body, error)
  return {
    id: asId(body.id) ?? lineId,
    message: asText(body.message) ?? asText(body.msg) ?? '',
    ...(step && { step }),
    ...(progress !== undefined && { progress }),
    ...(status && { status }),
    ...(error && { error }),
    ...(body.result !== undefined && { result: body.result }),
  }
}

function findObject(data: string): Record<string, unknown> | undefined {
  if (!data.trimStart().startsWith('{')) return undefined
  try {
    const value = parseJson(data)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * @param data the event's data lines, joined by line feeds
 * @param lineId the number from the id: line; an id in the data takes precedence
 * @returns the event, and whether the data was a complete JSON object (otherwise it becomes the message)
 */
export function parseEventData(data: string, lineId: number | null): { event: ProgressEvent; whole: boolean } {
  const body = findObject(data)
  return body ? { event: readEvent(body, lineId), whole: true } : { event: { id: lineId, message: data }, whole: false }
}
