/** The cookie that contains the browser's time zone, so that the server renders the right times. */
export const zoneCookie = 'gatehouse-zone'
