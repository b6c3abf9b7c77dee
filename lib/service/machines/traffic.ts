/** The requests that a site got within a day, as its server counts them in the log. No address and no path leaves the server. */

/** 4xx and 5xx are apart, and both are among the requests. */
export type TrafficHour = { requests: number; clientErrors: number; serverErrors: number }

/** How the site answers the server's own request at that moment. status: of HTTP; 0 if there was no answer. */
export type SiteAnswer = { status: number; firstByteMs: number }

/**
 * hours: 24, the oldest first; the last one is not over yet. from: when the first began, seconds since 1970. whole: whether the log has been read as
 * far back. answer: null if the server cannot send such a request.
 */
export type SiteTraffic = { from: number; hours: readonly TrafficHour[]; whole: boolean; answer: SiteAnswer | null }

export const trafficHours = 24
