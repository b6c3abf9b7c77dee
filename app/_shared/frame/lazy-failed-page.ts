import { lazyComponent } from '../../_ui/lazy'

/** Fetched with all other late parts, once a page is idle: three layouts refer to it, and each would load a copy first. */
export const LazyFailedPage = lazyComponent(() => import('./failed-page').then((file) => file.FailedPage))
