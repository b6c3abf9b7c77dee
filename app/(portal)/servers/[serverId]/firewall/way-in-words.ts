import { useForeign } from '@/app/_shared/connections/foreign-service'

const title = 'Delete the rule that allows SSH?'
const button = 'Delete rule'

const own = {
  title,
  button,
  description: 'No other rule allows SSH, so nobody could manage this server over SSH any more.',
}

const foreign = {
  title,
  button,
  description: 'No other rule listed here allows SSH. Without one, the firewall may lock out whoever manages this server.',
}

/** The warning before the last rule that allows SSH is deleted. */
export const useWayInWords = () => (useForeign() ? foreign : own)
