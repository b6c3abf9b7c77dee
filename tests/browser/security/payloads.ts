/** What a forged call of an action may contain. */
import { Form } from './action-call'
import { absentId } from './ids'

/** Members that a careless program would copy into a row. */
export const extras = [
  ['role', 'owner'],
  ['ownerId', absentId],
  ['teamId', absentId],
  ['__proto__', '{"role":"owner"}'],
  ['__proto__[role]', 'owner'],
  ['constructor[prototype][role]', 'owner'],
] as const

/** The arguments of an action's call, by what is wrong with them. */
export function payloads(fields: Record<string, string>): Record<string, readonly unknown[]> {
  const entries = Object.entries(fields)
  const [[idName] = ['']] = entries
  const withId = (id: string) => [null, new Form({ ...fields, [idName]: id })]
  return {
    'right fields': [null, new Form(fields)],
    'an absent id': withId(absentId),
    'an id that is a path': withId('../../servers/1/delete?'),
    'a million signs for an id': withId('x'.repeat(1e6)),
    'extra fields': [null, new Form([...entries, ...extras])],
    'fields over and over': [null, new Form([...entries, ...entries, ...entries.map(([name, value]) => [`${name}[]`, value] as const)])],
    'an object for a form': [null, { ...fields, [idName]: { not: null } }],
    'an object with a prototype': [null, JSON.parse(`{"__proto__":{"role":"owner"},"${idName}":{"not":null}}`)],
    'an array for a form': [null, entries],
    'a text for a form': [null, fields[idName]],
    'an answer made up beforehand': [{ ok: true, data: { jobId: absentId }, at: 0, __proto__: null }, new Form(fields)],
    'the form in the wrong place': [new Form(fields)],
    'nothing at all': [],
  }
}

/** For those who are refused before a form is read. */
export const fewPayloads = ['right fields', 'an absent id', 'extra fields', 'an object for a form'] as const
