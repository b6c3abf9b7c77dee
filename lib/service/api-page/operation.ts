/** One operation on the page: description, request and response. */
import { isRequired } from '@/lib/contract/field-values'
import type { Field } from '@/lib/contract/fields'
import { describeLimits } from '@/lib/contract/limits'
import type { Operation } from '@/lib/contract/operation'
import { exampleOf } from './example'
import { type Html, html } from './html'
import { shapeOf } from './shape'

const types: Record<Field['kind'], string> = {
  text: 'text',
  secret: 'text, secret: never logged or shown',
  flag: '1 or 0',
  list: 'list',
}

const effects: Record<Operation['effect'], Html> = {
  read: html`changes nothing`,
  export: html`changes nothing, but lets data out`,
  change: html`changes something`,
  destroy: html`<span class="destroy">takes something away</span>`,
}

function renderField([name, field]: [string, Field]): Html {
  const shown = field.kind === 'list' ? `${name}[]` : name
  const needed = field.extension ? 'no (extension)' : isRequired(field) ? 'yes' : 'no (empty if absent)'
  const limits = field.kind === 'text' || field.kind === 'secret' ? describeLimits(field) : []
  const type = [types[field.kind], ...limits].join('; ').replaceAll('`', '')
  return html`<tr><td><code>${shown}</code></td><td>${type}</td><td>${needed}</td></tr>`
}

function renderFields(operation: Operation): Html {
  const fields = Object.entries(operation.fields)
  if (fields.length === 0) return html`<p class="note">No fields.</p>`
  return html`<div class="wide" tabindex="0" role="region" aria-label="Fields of ${operation.id}"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Required</th></tr></thead>
<tbody>${fields.map(renderField)}</tbody></table></div>`
}

export function renderOperation(operation: Operation): Html {
  const { id, method, path, description, pace } = operation
  return html`<article id="${id}" aria-labelledby="${id}-title">
<header><h3 id="${id}-title"><a href="#${id}">${id}</a></h3><span>${description}</span></header>
<p class="address"><code><b>${method}</b> ${path}</code></p>
<p class="note">${effects[operation.effect]} · ${pace}${operation.extension ? ' · extension: for clients that look for them' : ''}</p>
<h4>Fields</h4>
${renderFields(operation)}
<h4>Answer</h4>
<pre tabindex="0">${shapeOf(operation)}</pre>
<h4>Example</h4>
<pre tabindex="0">${exampleOf(operation)}</pre>
</article>
`
}
