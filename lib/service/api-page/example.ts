/** An operation as a shell command that keeps the API key and other secrets off the command line. */
import type { Field } from '@/lib/contract/fields'
import type { Operation } from '@/lib/contract/operation'

/** Sample values for fields; any other field shows its own name in capitals. */
const samples: Readonly<Record<string, string>> = {
  provider: 'ssh',
  dns: 'none',
  name: 'web-01',
  host: '192.0.2.10',
  user: 'root',
  port: '22',
  domain: 'example.org',
}

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** Bash passes the secret through a file descriptor, so `ps` shows only its path. */
function fieldArguments([name, field]: [string, Field]): string[] {
  if (field.extension) return []
  if (field.kind === 'secret') return [`--data-urlencode ${name}@<(printf %s "$${variable(name)}")`]
  if (field.kind === 'flag') return [`--data ${name}=1`]
  if (field.kind === 'list') return ['a', 'b'].map((item) => `--data-urlencode ${quote(`${name}[]=${item}`)}`)
  return [`--data-urlencode ${quote(`${name}=${samples[name] ?? variable(name)}`)}`]
}

const variable = (name: string): string => name.toUpperCase()

/** A Bash command; `$URL`, `$KEY` and the ids of the path come from the environment. */
export function exampleOf(operation: Operation): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => `$${variable(name)}`)
  const given = [
    ...(operation.stream ? ['--no-buffer'] : []),
    // Without fields curl would send a GET.
    ...(operation.method === 'POST' && Object.keys(operation.fields).length === 0 ? ['--request POST'] : []),
    ...Object.entries(operation.fields).flatMap(fieldArguments),
    `"$URL${path}"`,
  ]
  return [`printf 'header = "Authorization: Bearer %s"\\n' "$KEY" |`, 'curl --config -', ...given].reduce((text, part, index) => {
    if (index === 0) return part
    return `${text}${index === 1 ? '\n  ' : ' \\\n  '}${part}`
  }, '')
}
