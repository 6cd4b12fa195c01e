/** Reads and writes the field `edited` of a message record: JSON, the oldest edit first. */

// Bound: 1,048,576, 20,000 values, the edits of a message.

export interface Edit {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The edits of a message, oldest first; null when `edited` holds none, or the text that a release up to 0.1.0 wrote there. */
export function editsOf({ text, edited }: { readonly text: string; readonly edited: string }): readonly Edit[] | null {
  if (edited === '' || edited === text || !edited.startsWith('[{"text":')) return null
  try {
    const edits = JSON.parse(edited) as unknown
    return Array.isArray(edits) && edits.every(isEdit) ? edits : null
  } catch {
    return null
  }
}

/** The text that a message has now. */
export function presentTextOf(message: { readonly text: string; readonly edited: string }): string {
  return editsOf(message)?.at(-1)?.text ?? message.text
}

function isEdit(value: unknown): value is Edit {
  const { text, at } = (value ?? {}) as Partial<Edit>
  return typeof text === 'string' && typeof at === 'number'
}
