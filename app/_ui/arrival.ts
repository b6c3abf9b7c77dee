/** How the present page was reached: by Back or Forward, or anew. */

let byHistory = false

/** True while a page is first rendered after Back or Forward. */
export const isReturn = (): boolean => byHistory

/** The next page is one that was left before. */
export function noteReturn(): void {
  byHistory = true
}

/** The page is there, or another one was asked for. */
export function noteArrival(): void {
  byHistory = false
}
