/** Which tables hold rows of each other although nothing in the database says so: WordPress has no foreign keys, and others have few. */

/** The tables of one blog of a WordPress that name rows of each other, without its prefix. */
const content = ['posts', 'postmeta', 'terms', 'termmeta', 'term_taxonomy', 'term_relationships', 'comments', 'commentmeta']

/** The same of WooCommerce: products are posts. */
const products =
  /^(wc_product_.*|wc_reserved_stock|wc_category_lookup|woocommerce_attribute_taxonomies|woocommerce_downloadable_product_.*)$/
const orders =
  /^(wc_orders(_meta)?|wc_order_.*|wc_customer_lookup|woocommerce_order_items|woocommerce_order_itemmeta|woocommerce_payment_tokens|woocommerce_payment_tokenmeta)$/

/** By table, the others that belong to it, also through others; no entry for a table that stands alone. */
export function relatedTables(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map(names.map((name) => [name, new Set([name])]))
  const join = (one: string, other: string) => {
    const [first, second] = [groups.get(one), groups.get(other)]
    if (!first || !second || first === second) return
    for (const name of second) {
      first.add(name)
      groups.set(name, first)
    }
  }
  for (const name of names) for (const parent of parentsOf(name)) join(parent, name)
  for (const prefix of blogsOf(names)) {
    const own = names.filter((name) => name.startsWith(prefix))
    const joinAll = (isOne: (table: string) => boolean) => {
      const [first, ...others] = own.filter((name) => isOne(name.slice(prefix.length)))
      for (const other of others) if (first !== undefined) join(first, other)
    }
    joinAll((table) => content.includes(table) || products.test(table))
    joinAll((table) => orders.test(table))
  }
  return new Map(
    [...groups].flatMap(([name, group]) => (group.size < 2 ? [] : [[name, [...group].filter((other) => other !== name).sort()] as const])),
  )
}

/** The prefix of each blog, such as `wp_` and, of a network, `wp_2_`. */
const blogsOf = (names: readonly string[]): string[] => {
  const all = new Set(names)
  return names
    .filter((name) => name.endsWith('postmeta'))
    .map((name) => name.slice(0, -'postmeta'.length))
    .filter((prefix) => ['posts', 'options', 'term_relationships'].every((rest) => all.has(prefix + rest)))
}

/** What a table would be called whose rows this one describes: `users` of `usermeta` and `user_roles`, `page` of `page_props`. */
function parentsOf(name: string): string[] {
  const parts = name.split('_')
  const starts = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('_'))
  const described = /^(.+?)_?(?:meta|meta_data|metadata)$/i.exec(name)?.[1]
  return [...starts, ...(described === undefined ? [] : [described])].flatMap(formsOf)
}

const formsOf = (word: string): string[] => [word, `${word}s`, `${word}es`, ...(word.endsWith('y') ? [`${word.slice(0, -1)}ies`] : [])]
