/** Multipart bodies: the same on every version of Node, whose own readers differ. */
import fc from 'fast-check'
import { FormData, Response } from 'undici'
import { expect, test } from 'vitest'
import { readMultipart } from '@/lib/contract/multipart'
import { seededRuns } from '@/tests/support/seeds'

const type = 'multipart/form-data; boundary=b'

/** A body of one part with these headers. */
const part = (...headers: string[]) => `--b\r\n${headers.join('\r\n')}\r\n\r\n1\r\n--b--\r\n`
const disposition = 'Content-Disposition: form-data; name="a"'
const good = part(disposition)

test.each([
  ['as browsers send it', type, good],
  ['without a line break at the end', type, good.trimEnd()],
  ['after a line break', type, `\r\n${good}`],
  ['with a quoted boundary', 'multipart/form-data; boundary="b"', good],
  ['with a charset in the header', 'multipart/form-data; charset=utf-8; Boundary=b', good],
  ['names in other letters', 'Multipart/Form-Data; BOUNDARY=b', part('CONTENT-DISPOSITION: FORM-DATA; NAME="a"')],
  ['without spaces', 'multipart/form-data;boundary=b', part('Content-Disposition:form-data;name=a')],
  ['with other headers', type, part('Content-Length: 1', disposition, 'Content-Type: text/plain; charset=UTF-8', 'X-Part: 7')],
  ['not encoded', type, part(disposition, 'Content-Transfer-Encoding: 8bit')],
])('%s, a body is read', (_, contentType, body) => {
  expect(readMultipart(contentType, body)).toEqual([['a', '1']])
})

test('a form without fields is read, and values are kept as they are', () => {
  expect(readMultipart(type, '--b--')).toEqual([])
  expect(readMultipart(type, good.replace('\r\n1\r\n', '\r\n%22 \r\n -- b\n--b \t\r\n\r\n'))).toEqual([['a', '%22 \r\n -- b\n--b \t\r\n']])
})

test.each([
  ['no boundary', 'multipart/form-data', good],
  ['two boundaries', 'multipart/form-data; boundary=b; boundary=c', good],
  ['an empty boundary', 'multipart/form-data; boundary=""', good.replaceAll('--b', '--')],
  ['text before the first part', type, `before\r\n${good}`],
  ['text after the last part', type, `${good}after`],
  ['no end', type, good.replace('--b--', '')],
  ['an end that is none', type, good.replace('--b--', '--b')],
  ['a line that begins with the boundary', type, good.replace('\r\n1', '\r\n1\r\n--bc')],
  ['spaces after the boundary', type, good.replace('--b\r\n', '--b \r\n')],
  ['bare line feeds', type, good.replaceAll('\r\n', '\n')],
  ['no headers', type, '--b\r\n\r\n1\r\n--b--'],
  ['no disposition', type, part('Content-Type: text/plain')],
  ['another disposition', type, part('Content-Disposition: attachment; name="a"')],
  ['no name', type, part('Content-Disposition: form-data')],
  ['two names', type, part('Content-Disposition: form-data; name="a"; name="b"')],
  ['two dispositions', type, part(disposition, 'content-disposition: form-data; name="b"')],
  ['a folded header', type, part('Content-Disposition: form-data;', ' name="a"')],
  ['a name with a backslash', type, part('Content-Disposition: form-data; name="a\\"b"')],
  ['a file', type, part('Content-Disposition: form-data; name="a"; filename="f"')],
  ['a file with an encoded name', type, part('Content-Disposition: form-data; name="a"; filename*=utf-8\'\'f')],
  ['base64', type, part(disposition, 'Content-Transfer-Encoding: base64')],
  ['another charset', type, part(disposition, 'Content-Type: text/plain; charset=iso-8859-1')],
])('%s: a body that can be read in two ways, or is no text, is refused', (_, contentType, body) => {
  expect(readMultipart(contentType, body)).toBeNull()
})

test('whatever a client of another maker encodes is read as it was', async () => {
  const text = fc.string({ unit: 'grapheme' }).map((value) => value.replace(/\r\n?|\n/g, '\r\n'))
  const property = fc.asyncProperty(fc.array(fc.tuple(text, text)), async (fields) => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    const response = new Response(form)
    expect(readMultipart(response.headers.get('content-type') ?? '', await response.text())).toEqual(fields)
  })
  await fc.assert(property, { numRuns: seededRuns(200) })
})
