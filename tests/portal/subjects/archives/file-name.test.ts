import { expect, test } from 'vitest'
import { archiveName } from '@/lib/portal/subjects/archives/file-name'

const at = new Date('2026-11-25T10:00:00Z')

test.each([
  ['example.org', 'https://service.example/a/b.tar.zst?token=1', 'example.org-2026-11-25.tar.zst'],
  ['xn--mnchen-3ya.de', 'https://service.example/x.ZIP', 'xn--mnchen-3ya.de-2026-11-25.zip'],
  ['example.org', 'https://service.example/download?file=x.exe', 'example.org-2026-11-25'],
  ['a"; filename="b.exe\r\nset-cookie: x', 'https://service.example/x.tgz', 'a_filename_b.exe_set-cookie_x-2026-11-25.tgz'],
  ['../../etc/passwd', 'https://service.example/x.tar', '_.._etc_passwd-2026-11-25.tar'],
  ['--', 'https://service.example/x', 'site-2026-11-25'],
])('the archive of %s at %s is saved as %s', (domain, link, name) => {
  expect(archiveName(domain, link, at)).toBe(name)
})
