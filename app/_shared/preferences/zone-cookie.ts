/** The cookie in which a browser tells its time zone, so that pages come from the server with the right hours. */
export const zoneCookie = 'gatehouse-zone'
