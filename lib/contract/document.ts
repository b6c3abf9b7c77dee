/** The operations as a page for readers of the repository. */
import { contract, operations } from '@/lib/contract/index'
import { type MemberOutline, outlineOf } from '@/lib/contract/json-schema'
import type { Field, Operation } from '@/lib/contract/operation'

const introduction = `# The 48 operations

Generated from \`lib/contract\` by \`npm run docs\`; a test fails when it is stale.

**Fields** are sent as form fields: plain ones are text, \`(secret)\` is text that is never logged or shown, \`(flag)\` is \`1\` or \`0\`,
\`(list)\` is \`name[]=a&name[]=b\`. **Answers** are JSON with \`success: true\` and the members named. Names with a * are extensions:
sent to, and expected from, services of our own kind alone. **Effect**: \`read\` changes nothing, \`change\` may be done again or
undone, \`destroy\` takes something away. **Pace**: \`slow\` operations run as jobs. **Here**: whether the bundled service does it yet;
where not it answers 501 \`not_built\`.`

function renderField([name, field]: [string, Field]): string {
  const kind = field.kind === 'text' ? '' : ` (${field.kind})`
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

function renderRow(operation: Operation, builtIds: ReadonlySet<string>): string {
  const cells = [
    `\`${operation.id}\`<br>${operation.says}`,
    `\`${operation.method} ${operation.path}\``,
    Object.entries(operation.fields).map(renderField).join(', ') || '–',
    renderAnswer(operation),
    operation.effect,
    operation.pace,
    builtIds.has(operation.id) ? 'yes' : 'not yet',
  ]
  return `| ${cells.join(' | ')} |`
}

const head = ['| Operation | Request | Fields | Answer | Effect | Pace | Here |', '| --- | --- | --- | --- | --- | --- | --- |']

/**
 * Renders docs/operations.md.
 * @param builtIds the operations that the bundled service does
 */
export function renderOperationsPage(builtIds: ReadonlySet<string>): string {
  const sections = Object.entries(contract).map(([subject, verbs]) => {
    const rows = Object.values(verbs).map((operation: Operation) => renderRow(operation, builtIds))
    return [`## ${subject}`, '', ...head, ...rows].join('\n')
  })
  const built = operations.filter((operation) => builtIds.has(operation.id)).length
  const count = `The bundled service does ${built} of ${operations.length} so far.`
  return `${[introduction, count, ...sections].join('\n\n')}\n`
}
