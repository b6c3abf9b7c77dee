/** Which tables of known apps hold what belongs to the live site: a staging copy has it only as it was at its pull. */

/** The prefix of a WordPress, such as `wp_`, of each that has its tables in the database. */
const prefixesOf = (names: readonly string[]): string[] =>
  names
    .filter((name) => name.endsWith('usermeta'))
    .map((name) => name.slice(0, -'usermeta'.length))
    .filter((prefix) => ['users', 'options', 'posts'].every((rest) => names.includes(prefix + rest)))

const orders =
  /^(wc_orders(_meta)?|wc_order_.*|wc_customer_lookup|woocommerce_order_items|woocommerce_order_itemmeta|woocommerce_payment_.*)$/
const carts = /^woocommerce_sessions$/

/** By table name, a word for people. Before WooCommerce had tables for orders, it kept them among posts, and may still. */
export function privateTables(tables: readonly { name: string; rows: number }[]): ReadonlyMap<string, string> {
  const names = tables.map(({ name }) => name)
  const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0
  const found = new Map<string, string>()
  for (const prefix of prefixesOf(names)) {
    const ordersArePosts = rowsOf(`${prefix}woocommerce_order_items`) > 0 && rowsOf(`${prefix}wc_orders`) === 0
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      const word = labelOf(name.slice(prefix.length), ordersArePosts)
      if (word !== null) found.set(name, word)
    }
  }
  return found
}

function labelOf(table: string, ordersArePosts: boolean): string | null {
  if (table === 'users' || table === 'usermeta') return 'users'
  if (table === 'comments' || table === 'commentmeta') return 'comments'
  if (orders.test(table)) return 'orders'
  if (carts.test(table)) return 'carts'
  return ordersArePosts && (table === 'posts' || table === 'postmeta') ? 'orders' : null
}
