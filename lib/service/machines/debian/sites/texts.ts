/** Programs in PHP that scripts write onto a server or run there. */
import { readProgram } from '../script'

const rewriting = ['names', 'addresses', 'table', 'tables', 'defines', 'configuration', 'rewrite'].map((name) => `staging/${name}.php`)

/** By the function of bash that prints it: host/package.ts. */
export const texts = {
  content_rewriting: `<?php\n${readProgram(import.meta.url, ...rewriting)}`,
  content_login: readProgram(import.meta.url, 'app-login.php'),
} as const
