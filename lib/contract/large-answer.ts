/** Decodes large answers in slices, and limits the length of their lists. */
import { decodeAnswer, judge, type Reply } from '@/lib/contract/answer'
import { inspectJson, isJsonObject, JsonRefused, type ListSpan, withoutWarnings } from '@/lib/contract/json'
import type { Answer, OperationDefinition } from '@/lib/contract/operation'
import type { Cut, Outcome } from '@/lib/contract/problem'

/** How many items of a list are decoded. */
export const maxItems = 20_000

/** Characters. Shorter answers are decoded in one piece. */
const smallLength = 32_768
const itemsPerSlice = 500
const maxDepth = 32

type Body = Record<string, unknown>
/**
 * A list that is decoded in slices: `read` returns some of its items, which the body has under this name, or the object in the body that is
 * called `wrapper`.
 */
type LongList = { wrapper?: string; name: string; total: number; read(from: number, to: number): unknown[] }

/**
 * Decodes an answer like decodeAnswer, awaiting `turn` between its slices. Decodes only the first 20,000 items of a list; the outcome
 * then contains the total.
 */
export async function decodeLargeAnswer<O extends OperationDefinition>(
  operation: O,
  reply: Reply,
  turn: () => Promise<void>,
): Promise<Outcome<Answer<O>>> {
  if (reply.body.length <= smallLength) return decodeAnswer(operation, reply)
  try {
    const text = withoutWarnings(reply.body)
    const steps = inspectJson(text, maxDepth, maxItems)
    let step = steps.next()
    while (!step.done) {
      await turn()
      step = steps.next()
    }
    const spans = step.value.filter(({ count }) => count > itemsPerSlice)
    const body: unknown = JSON.parse(withoutLists(text, spans))
    await turn()
    if (!isJsonObject(body)) return judge(operation, reply, undefined)
    const lists = [...spans.map((span) => listInText(text, span)), ...takeLists(body), ...takeWrappedLists(body)]
    return await decodeLists(operation, reply, body, lists, turn)
  } catch (error) {
    if (error instanceof JsonRefused || error instanceof SyntaxError) return judge(operation, reply, undefined)
    throw error
  }
}

function withoutLists(text: string, spans: readonly ListSpan[]): string {
  let [rest, from] = ['', 0]
  for (const { start, end } of spans) {
    rest += `${text.slice(from, start)}[]`
    from = end
  }
  return rest + text.slice(from)
}

function listInText(text: string, { name, start, count, elementEnds }: ListSpan): LongList {
  const endOf = (index: number) => (index < 0 ? start : (elementEnds[index] ?? start))
  return { name: JSON.parse(name), total: count, read: (from, to) => JSON.parse(`[${text.slice(endOf(from - 1) + 1, endOf(to - 1))}]`) }
}

/** Removes long lists from the body. PHP writes an array with gaps as an object keyed by numbers. */
function takeLists(body: Body): LongList[] {
  return Object.entries(body).flatMap(([name, value]): LongList[] => {
    const items = Array.isArray(value) || isKeyedList(value) ? Object.values(value) : []
    if (items.length <= itemsPerSlice) return []
    body[name] = []
    return [{ name, total: items.length, read: (from, to) => items.slice(from, to) }]
  })
}

const isKeyedList = (value: unknown): value is Body => isJsonObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))

/** The same in the objects of the body, of which one may hold the members of the answer. */
function takeWrappedLists(body: Body): LongList[] {
  return Object.entries(body).flatMap(([wrapper, value]) =>
    isJsonObject(value) ? takeLists(value).map((list) => ({ ...list, wrapper })) : [],
  )
}

function withList(body: Body, { wrapper, name }: LongList, items: readonly unknown[]): Body {
  return { ...body, ...(wrapper === undefined ? { [name]: items } : { [wrapper]: { ...Object(body[wrapper]), [name]: items } }) }
}

/** Decodes each slice as if it were the whole list, and joins the results. */
async function decodeLists<O extends OperationDefinition>(
  operation: O,
  reply: Reply,
  body: Body,
  lists: readonly LongList[],
  turn: () => Promise<void>,
): Promise<Outcome<Answer<O>>> {
  const whole = judge(operation, reply, body)
  if (!whole.ok) return whole
  const filled = namesOfEmptyLists(whole.data)
  let cut: Cut | undefined
  let unreadable = whole.unreadable ?? 0
  for (const list of lists) {
    const { total, read } = list
    const shown = Math.min(total, maxItems)
    for (let from = 0; from < shown; from += itemsPerSlice) {
      await turn()
      const part = judge(operation, reply, withList(body, list, read(from, Math.min(from + itemsPerSlice, shown))))
      if (!part.ok) return part
      append(whole.data, part.data, filled)
      // Every slice counts the broken items of the short lists again.
      unreadable += (part.unreadable ?? 0) - (whole.unreadable ?? 0)
    }
    if (shown < total) cut = { shown, total }
  }
  return { ...whole, ...(cut && { cut }), ...(unreadable > 0 && { unreadable }) }
}

const namesOfEmptyLists = (data: object): string[] =>
  Object.entries(data).flatMap(([name, value]) => (Array.isArray(value) && value.length === 0 ? [name] : []))

/** Every slice contains the short lists in full, so only the lists that were left empty are joined. */
function append(whole: object, part: object, names: readonly string[]): void {
  for (const name of names) {
    const [known, more]: [unknown, unknown] = [Reflect.get(whole, name), Reflect.get(part, name)]
    if (Array.isArray(known) && Array.isArray(more)) for (const item of more) known.push(item)
  }
}
