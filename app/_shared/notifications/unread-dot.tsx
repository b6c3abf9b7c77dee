/** On an icon that leads to notifications, in a `relative` box. */
export const UnreadDot = () => <span aria-hidden className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-accent" />
