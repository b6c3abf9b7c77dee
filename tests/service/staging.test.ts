/** What is read of staging copies, and which passwords are kept for whom. */
import { expect, test } from 'vitest'
import { parseStaging } from '@/lib/service/machines/debian/sites/staging/facts'
import { privateTables } from '@/lib/service/machines/staging'
import { createPasswords } from '@/lib/service/runs/passwords'

const table = (name: string, rows = 1) => ({ name, rows })

const wordPress = ['users', 'usermeta', 'options', 'posts', 'postmeta', 'comments', 'commentmeta'].map((name) => table(`wp_${name}`))

test('tables of a known app that belong to live are named, and those of others with such names are not', () => {
  const words = privateTables([...wordPress, table('users'), table('comments'), table('my_orders')])
  expect(Object.fromEntries(words)).toEqual({
    wp_users: 'users',
    wp_usermeta: 'users',
    wp_comments: 'comments',
    wp_commentmeta: 'comments',
  })
  expect(privateTables([table('users'), table('usermeta'), table('comments')]).size).toBe(0)
})

test('orders of a shop are where it keeps them: in tables of their own, or among its posts', () => {
  const shop = [...wordPress, table('wp_woocommerce_order_items', 3), table('wp_woocommerce_sessions')]
  const modern = privateTables([...shop, table('wp_wc_orders', 3), table('wp_wc_orders_meta')])
  expect(modern.get('wp_wc_orders')).toBe('orders')
  expect(modern.get('wp_wc_orders_meta')).toBe('orders')
  expect(modern.get('wp_woocommerce_sessions')).toBe('carts')
  expect(modern.get('wp_posts')).toBeUndefined()
  const older = privateTables([...shop, table('wp_wc_orders', 0)])
  expect([older.get('wp_posts'), older.get('wp_postmeta')]).toEqual(['orders', 'orders'])
})

test('facts of a server are read whatever a table is called, and without a copy', () => {
  const hex = (name: string) => Buffer.from(name).toString('hex').toUpperCase()
  const partners = `${hex('b')} ${hex('a')}`
  const printed = [
    ...['files\t4096', 'mixed', 'copy\t2026-11-25T01:02:03Z'],
    `table\t${hex('a\tü')}\t16384\t7\tpulled\tchanged\t${partners}`,
    `table\t${hex('plain')}\t0\t0\t\t\t`,
  ]
  expect(parseStaging(printed.join('\n'))).toEqual({
    ...{ exists: true, pulledAt: '2026-11-25T01:02:03Z', filesBytes: 4096, mixed: true },
    tables: [
      { name: 'a ü', bytes: 16_384, rows: 7, pulled: true, changed: true, partners: ['a', 'b'] },
      { name: 'plain', bytes: 0, rows: 0, pulled: false, changed: false, partners: [] },
    ],
  })
  expect(parseStaging('files\t\n')).toEqual({ exists: false, pulledAt: '', filesBytes: null, mixed: false, tables: [] })
})

test('a password is answered for its own run alone, and not after it was forgotten', () => {
  let now = 0
  const passwords = createPasswords(1000, () => now)
  passwords.keep('one', 'open sesame')
  const answer = { success: true, credentials: { url: 'https://staging.example.org', user: 'staging', password: '' } }
  expect(passwords.complete('one', answer)).toEqual({ ...answer, credentials: { ...answer.credentials, password: 'open sesame' } })
  expect(passwords.complete('two', answer)).toEqual({ success: true })
  expect(passwords.complete('two', { success: true })).toEqual({ success: true })
  now = 1001
  expect(passwords.complete('one', answer)).toEqual({ success: true })
})
