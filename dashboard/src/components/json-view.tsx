import { showUnseen } from '../format/visible.js'
import { useWords } from '../words/index.js'
import { Copyable } from './copyable.js'

/** A value as indented JSON, with a button that copies it. */
export function JsonView({ value }: { readonly value: unknown }) {
  const words = useWords()
  return <Copyable text={showUnseen(JSON.stringify(value, null, 2) ?? '')} copy={words.copy} copied={words.copied} />
}
