/** The interface as a page to read: generated from the contract, one file, no scripts. */
import { createHash } from 'node:crypto'
import { contract, extensionOperations, interfaceOperations } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { problemKinds, serviceCodes } from '@/lib/contract/problem'
import { type Html, html } from './html'
import { renderOperation } from './operation'
import { style } from './style'

const subjects = Object.entries(contract).map(([subject, verbs]) => ({
  subject,
  /** serverBackups → server backups */
  title: subject === 'ssl' ? 'SSL' : subject.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  operations: Object.values(verbs) as Operation[],
}))

const renderLinks = ({ subject, title, operations }: (typeof subjects)[number]): Html => html`<ol>
<li><a href="#${subject}">${title}</a></li>
${operations.map(({ id }) => html`<li><a href="#${id}">${id}</a></li>\n`)}</ol>
`

const codes: Html = html`<section aria-labelledby="failures"><h2 id="failures">Failures</h2>
<p>A failure has its own status and a body of this shape. <code>error</code> is a message for people, <code>code</code> one of the
list below, <code>fields</code> says why single fields were refused.</p>
<pre tabindex="0">{
  "success": false,
  "error": string,
  "code": string,
  "fields"?: {"NAME": string, …},
  "host_key"?: string
}</pre>
<div class="wide" tabindex="0" role="region" aria-label="Codes of failures"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${[...serviceCodes].map((code) => {
  const { status, sentence } = problemKinds[code]
  return html`<tr><td>${status}</td><td><code>${code}</code></td><td>${sentence}</td></tr>\n`
})}</tbody></table></div></section>
`

const extensions = extensionOperations.length === 0 ? '' : `, and ${extensionOperations.length} beyond the interface`

const introduction = (url: string): Html => html`<header><h1>Server and site management</h1>
<p>${interfaceOperations.length} operations over HTTP${extensions}. Programs use <a href="/openapi.json">/openapi.json</a>.</p>
<p>Every request carries <code>Authorization: Bearer KEY</code>; create a key with <code>./gatehouse keys --service create</code>. Fields are
sent as a form, as multipart or as JSON. A list is sent as <code>name[]=a&amp;name[]=b</code>, in JSON as an array. A successful answer is
JSON with <code>"success": true</code>; members marked <code>?</code> are extensions and may be missing. HEAD is answered where GET changes nothing.</p>
<p>The examples are for bash and keep the key and other secrets off the command line, where every user of the computer could read them. They need these variables:</p>
<pre tabindex="0">URL=${url}
IFS= read -rsp 'API key: ' KEY</pre></header>
`

export type ApiPage = { body: string; policy: string }

/** A request may claim any host, so shell examples only contain one with ordinary characters. */
const plainAddress = (url: string): string => (/^https?:\/\/[\w.:[\]-]+$/.test(url) ? url : 'http://127.0.0.1:4000')

/**
 * Renders the page, and a content security policy that allows nothing but its own style.
 * @param url the address of this service, for the examples
 */
export function renderApiPage(url: string): ApiPage {
  const sections = subjects.map(
    ({ subject, title, operations }) => html`<section aria-labelledby="${subject}"><h2 id="${subject}">${title}</h2>
${operations.map(renderOperation)}</section>
`,
  )
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Server and site management: the interface</title>
<style>${{ markup: style }}</style>
</head>
<body>
${introduction(plainAddress(url))}
<nav aria-label="Operations">${subjects.map(renderLinks)}<ol><li><a href="#failures">failures</a></li></ol></nav>
<main>${sections}${codes}</main>
</body>
</html>
`
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return { body: markup, policy }
}
