import { setOptOutWords } from './set-words.js'
import { showOptOutWords } from './show-words.js'

export const suppressionOperations = [showOptOutWords, setOptOutWords] as const
