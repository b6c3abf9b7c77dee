/** Renders the operations as a page for readers of the repository. */

import type { Field } from '@/lib/contract/fields'
import { operations } from '@/lib/contract/index'
import { type MemberOutline, markedMembers, outlineOf } from '@/lib/contract/json-schema'
import { describeLimits } from '@/lib/contract/limits'
import type { Confirm, Operation } from '@/lib/contract/operation'
import { auditOf } from '@/lib/contract/policy'

const introduction = `# The 48 operations

Generated from \`lib/contract\` by \`npm run docs\`; a test fails when it is stale.

**Fields** are sent as form fields, or in the query of a GET: plain ones are text, \`(secret)\` is text that is never logged or shown, \`(not audited)\`
is text that may hold a secret, \`(flag)\` is \`1\` or \`0\`, \`(list)\` is \`name[]=a&name[]=b\`. **Answers** are JSON with \`success: true\` and the members named. Names with a * are extensions:
sent to, and expected from, services of our own kind alone. **Effect**: \`read\` changes nothing, \`export\` lets data out (not for
Viewers), \`change\` may be done again or undone, \`destroy\` takes something away. **Policy**: what the portal asks for before it sends
the call, whether it keeps an undo, and which reads it writes to the audit log; whatever is not a read is always written there.
**Pace**: \`slow\` operations run as jobs. The bundled service does all of them.`

function renderField([name, field]: [string, Field]): string {
  const kind = field.audited === false ? ' (not audited)' : field.kind === 'text' ? '' : ` (${field.kind})`
  return `\`${name}\`${field.extension ? '*' : ''}${kind}`
}

function renderMember({ name, optional, members }: MemberOutline): string {
  const inner = members.length === 0 ? '' : ` (${members.map(renderMember).join(', ')})`
  return `\`${name}\`${optional ? '*' : ''}${inner}`
}

function renderAnswer(operation: Operation): string {
  if (operation.stream) return 'stream of `id:` and `data:` lines'
  return outlineOf(operation.answer).map(renderMember).join(', ') || '–'
}

const auditWords = { always: 'audited', followed: 'audited, once while it is followed', never: '' } as const

function renderConfirm({ fields }: Operation, confirm: Confirm): string {
  if (confirm === 'name') return 'typed name'
  return `typed ${fields[confirm.field]?.kind === 'list' ? 'number of ' : ''}\`${confirm.field}\``
}

function renderPolicy(operation: Operation): string {
  const { confirm, freshSignIn, undoable, effect } = operation
  const words = [
    confirm && renderConfirm(operation, confirm),
    freshSignIn && 'fresh sign-in',
    undoable && 'undo',
    effect === 'read' && auditWords[auditOf(operation)],
  ]
  return words.filter(Boolean).join(', ') || '–'
}

const cellsOf = (operation: Operation): string[] => [
  `\`${operation.id}\`<br>${operation.description}`,
  `\`${operation.method} ${operation.path}\``,
  Object.entries(operation.fields).map(renderField).join(', ') || '–',
  renderAnswer(operation),
  operation.effect,
  renderPolicy(operation),
  operation.pace,
]

const columns = ['Operation', 'Request', 'Fields', 'Answer', 'Effect', 'Policy', 'Pace']

const renderRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const renderTable = (head: readonly string[], rows: readonly string[][]): string =>
  [renderRow(head), renderRow(head.map(() => '---')), ...rows.map(renderRow)].join('\n')

function renderExtensions(extensions: readonly Operation[]): string {
  const words =
    'Operations beyond the interface. They are sent only to services that announce extensions; the bundled service has all of them.'
  return ['## Extension operations', words, extensions.length === 0 ? 'None so far.' : renderTable(columns, extensions.map(cellsOf))].join(
    '\n\n',
  )
}

function fieldLimits({ id, fields }: Operation): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const limits = field.kind === 'text' || field.kind === 'secret' ? describeLimits(field) : []
    return limits.length === 0 ? [] : [`- \`${id}\` \`${name}\`: ${limits.join('; ')}`]
  })
}

function renderLimits(described: readonly Operation[]): string {
  const words =
    'Limits of the bundled service. The interface sets none, so another service may accept more or less: the portal sends it any value that fits a field.'
  return ['## Limits of fields', words, described.flatMap(fieldLimits).join('\n')].join('\n\n')
}

function renderMarks(described: readonly Operation[]): string {
  const words = 'Answer members that name a server, site or connection, and how.'
  const lines = described.flatMap(({ id, answer }) => {
    const marked = markedMembers(answer)
    return marked.length === 0 ? [] : [`- \`${id}\`: ${marked.map(({ path, names }) => `\`${path}\` (${names})`).join(', ')}`]
  })
  return ['## Members that name something', words, lines.join('\n')].join('\n\n')
}

/** Renders docs/operations.md. */
export function renderOperationsPage(described: readonly Operation[] = operations): string {
  const ours = described.filter(({ extension }) => !extension)
  const sections = [...new Set(ours.map(({ subject }) => subject))].map((subject) => {
    const rows = ours.filter((operation) => operation.subject === subject)
    return `## ${subject}\n\n${renderTable(columns, rows.map(cellsOf))}`
  })
  const extensions = renderExtensions(described.filter(({ extension }) => extension))
  return `${[introduction, ...sections, extensions, renderLimits(described), renderMarks(described)].join('\n\n')}\n`
}
