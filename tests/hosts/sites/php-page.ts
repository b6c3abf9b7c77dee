/** A page of PHP that tells how it runs, and what asks it. */
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Host } from '../lab/lab'
import { visit } from './site-job'

/** Tells version and limits; `?eat=MB` uses that much memory first, `?sleep=SECONDS` waits; a file sent to it is described instead. */
export const phpPage = `<?php
if (isset($_FILES['file'])) exit('file ' . $_FILES['file']['size'] . ' error ' . $_FILES['file']['error']);
if (isset($_GET['eat'])) $eaten = str_repeat('x', (int) $_GET['eat'] * 1048576);
if (isset($_GET['sleep'])) sleep((int) $_GET['sleep']);
echo PHP_MAJOR_VERSION, '.', PHP_MINOR_VERSION;
foreach (['upload' => 'upload_max_filesize', 'post' => 'post_max_size', 'memory' => 'memory_limit', 'zone' => 'date.timezone'] as $word => $name)
  echo " $word ", ini_get($name);
echo ' end';
`

/** Sends a file of that many bytes as a form does. Resolves with the text of the answer. */
export function postFile(host: Host, domain: string, path: string, bytes: number): Promise<string> {
  const boundary = 'end-of-a-part'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 120), Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { host: domain, 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': body.length }
  return new Promise((resolve, reject) => {
    const asked = request({ host: host.ip, path, method: 'POST', headers, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
    asked.once('error', reject)
    asked.end(body)
  })
}

/** The status of a page, and when to come back if the answer says so. */
export function headOf(host: Host, domain: string, path: string): Promise<{ status: string; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: host.ip, path, headers: { host: domain }, agent: false }, (reply) => {
      reply.resume()
      reply.once('end', () => resolve({ status: String(reply.statusCode), retryAfter: reply.headers['retry-after'] }))
    })
    asked.once('error', reject)
    asked.end()
  })
}

/** Asks a site's PHP again and again until it is stopped; then tells how often it answered, and each answer that was not as it should be. */
export function watchSite(host: Host, domain: string): { stop(): Promise<{ answered: number; failed: string[] }> } {
  const found = { answered: 0, failed: [] as string[] }
  let watching = true
  const watch = async () => {
    while (watching) {
      const said = await visit(host, domain, '/php.php').catch(String)
      if (said.startsWith('200 ') && said.endsWith(' end')) found.answered += 1
      else found.failed.push(said)
      await delay(50)
    }
  }
  const running = watch()
  return {
    async stop() {
      watching = false
      await running
      return found
    },
  }
}
