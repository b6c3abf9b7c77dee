/** Text of a list in the form in which it is stored. */
import 'server-only'
import { storableText } from '@/lib/database/values'
import { showBidiControls } from '@/lib/text/bidi'

/**
 * The database parses the list as JSON, so none of its text passes through the driver's checks. Characters that change the direction of
 * text become visible codes here, so that no page, title, log or job has to handle them; users can type the codes to confirm.
 */
export const listedText = (text: string): string => storableText(showBidiControls(text))
