/** An app of the catalogue: where its files come from, what it needs, and how it is recognised. docs/apps.md describes the format. */
import * as z from 'zod'

/** A path inside of a folder. */
const inside = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9._@+-]+(\/[A-Za-z0-9._@+-]+)*$/)
  .refine((path) => !path.split('/').includes('..') && !path.startsWith('-'), 'must not leave the folder')

const packageName = /^[a-z0-9][a-z0-9+.-]{1,80}$/

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'm').source !== ''
  } catch {
    return false
  }
}

const expression = z.string().min(1).max(300).refine(isExpression, 'must be a regular expression')

/** parts: patterns for the names of packages that come with it, among those it depends on or recommends. version: how the package's becomes the app's. */
const packages = z.strictObject({
  package: z.string().regex(packageName),
  parts: z.array(z.string().regex(/^[a-z0-9][a-z0-9+.*-]{1,80}$/)).default([]),
  version: z.strictObject({ pattern: expression, shown: z.string().min(1).max(60) }),
})

/** A tar archive. strip: how many leading folders are left out of its paths. */
const archive = z.strictObject({
  address: z.url({ protocol: /^https?$/ }).max(500),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  strip: z.number().int().min(0).max(9).default(0),
  version: z.string().min(1).max(60),
})

const updates = z.strictObject({ address: z.url({ protocol: /^https?$/ }), kind: z.enum(['wordpress', 'dokuwiki']) })

export const entrySchema = z.strictObject({
  app: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  title: z.string().min(1).max(60),
  source: z.union([packages, archive]),
  /** What is copied from the unpacked source, and where to; an empty path is the folder itself. */
  folders: z.array(z.strictObject({ from: z.union([inside, z.literal('')]), to: z.union([inside, z.literal('')]) })).min(1),
  left_out: z.array(inside).default([]),
  /** Folders of the source that its PHP files name by absolute path. They are copied into the app, and the files name them there. */
  relocated: z.array(inside).default([]),
  /** Modules of PHP. */
  php: z.array(z.string().regex(/^[A-Za-z0-9_]{1,40}$/)).default([]),
  database: z.boolean(),
  /** The page at which its administrator signs in. */
  login: z.string().regex(/^\/[A-Za-z0-9._/?=&-]{0,200}$/),
  /** The name of its administrator; absent if its steps make none. */
  user: z
    .string()
    .regex(/^[a-z][a-z0-9._-]{0,31}$/)
    .exactOptional(),
  /** Files that tell that the app is there, and which version: the first group of each expression. build: what its update API asks for. */
  found: z.strictObject({
    file: inside,
    version: expression,
    beside: inside,
    build: expression.exactOptional(),
  }),
  updates: updates.exactOptional(),
})

/** steps: a PHP program that installs the app. directives: of Apache, for the site's virtual host; empty for none. */
export type CatalogueEntry = z.infer<typeof entrySchema> & { steps: string; directives: string }

/** The version of the app in a package, as people know it; empty if there is no such package. */
export function shownVersion({ source }: CatalogueEntry, packageVersion: string): string {
  if (!('package' in source)) return source.version
  const match = new RegExp(source.version.pattern).exec(packageVersion)
  return match ? source.version.shown.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '') : packageVersion
}
