/** Which tables belong together by their names: of WordPress, networks of it, shops, and apps that nobody knows. */
import { expect, test } from 'vitest'
import { relatedTables } from '@/lib/service/machines/related-tables'

const blog = 'commentmeta comments links options postmeta posts term_relationships term_taxonomy termmeta terms'.split(' ')
const content = blog.filter((name) => !['links', 'options'].includes(name))
const named = (prefix: string, names: readonly string[]) => names.map((name) => prefix + name)
const without = (names: readonly string[], name: string) => names.filter((each) => each !== name).sort()

test('posts belong with their meta, terms and comments, whatever the prefix, and users with theirs', () => {
  for (const prefix of ['wp_', 'x7', 'my_site_']) {
    const related = relatedTables(named(prefix, [...blog, 'users', 'usermeta']))
    for (const name of named(prefix, content)) expect(related.get(name)).toEqual(without(named(prefix, content), name))
    expect(related.get(`${prefix}users`)).toEqual([`${prefix}usermeta`])
    expect([related.get(`${prefix}options`), related.get(`${prefix}links`)]).toEqual([undefined, undefined])
  }
})

test('blogs of a network, and two WordPress in one database, stay apart', () => {
  const network = ['blogs', 'blogmeta', 'site', 'sitemeta', 'users', 'usermeta', 'signups']
  const related = relatedTables([...named('wp_', [...blog, ...network]), ...named('wp_2_', blog), ...named('old_', blog)])
  expect(related.get('wp_2_posts')).toEqual(without(named('wp_2_', content), 'wp_2_posts'))
  expect(related.get('wp_posts')).toEqual(without(named('wp_', content), 'wp_posts'))
  expect(related.get('wp_blogs')).toEqual(['wp_blogmeta'])
  expect(related.get('wp_site')).toEqual(['wp_sitemeta'])
  expect(related.get('old_terms')).not.toContain('wp_terms')
})

test('a shop has its orders together, and its products with the posts that they are', () => {
  const shop = ['wc_orders', 'wc_orders_meta', 'wc_order_addresses', 'woocommerce_order_items', 'woocommerce_order_itemmeta']
  const related = relatedTables(named('wp_', [...blog, ...shop, 'wc_product_meta_lookup', 'woocommerce_sessions']))
  expect(related.get('wp_wc_orders')).toEqual(without(named('wp_', shop), 'wp_wc_orders'))
  expect(related.get('wp_wc_product_meta_lookup')).toContain('wp_posts')
  expect(related.get('wp_posts')).not.toContain('wp_wc_orders')
  expect(related.get('wp_woocommerce_sessions')).toBeUndefined()
})

test('of an unknown app, a table belongs with those that are named after it', () => {
  const related = relatedTables([
    'page',
    'page_props',
    'orders',
    'order_items',
    'order_meta',
    'category',
    'categories',
    'categorymeta',
    'log',
    'a_b',
    'c',
  ])
  expect(related.get('page')).toEqual(['page_props'])
  expect(related.get('orders')).toEqual(['order_items', 'order_meta'])
  expect(related.get('order_items')).toEqual(['order_meta', 'orders'])
  expect(related.get('categorymeta')).toEqual(['categories', 'category'])
  expect(['log', 'a_b', 'c'].map((name) => related.get(name))).toEqual([undefined, undefined, undefined])
})
