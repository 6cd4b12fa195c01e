/** Tags by which administrators sort instances. */
import { GatewayError } from './errors.js'

// Bound: 20, the tags of an instance.

/** Maximum of tags of one instance. The schemas name the same figure. */
export const INSTANCE_TAGS_MAX = 20
export const INSTANCE_TAG_LENGTH_MAX = 50

/** A change of tags: `tags` replaces all of them, the others add and remove some. */
export interface TagChange {
  readonly tags?: readonly string[] | undefined
  readonly add?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
}

/**
 * Returns the tags after the change, sorted and each once.
 * @throws GatewayError INVALID_REQUEST when there would be more than `INSTANCE_TAGS_MAX`
 */
export function changedTags(before: readonly string[], { tags, add = [], remove = [] }: TagChange): string[] {
  const after = new Set([...(tags ?? before), ...add].map(cleanTag))
  for (const tag of remove) after.delete(cleanTag(tag))
  if (after.size > INSTANCE_TAGS_MAX)
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: an instance has at most ${INSTANCE_TAGS_MAX} tags.`,
      details: [{ field: tags === undefined ? 'add' : 'tags', why: `would make ${after.size} tags` }],
    })
  return [...after].sort()
}

/** Returns a tag as it is stored: without spaces around it, in one Unicode form, so that what looks alike is one tag. */
export function cleanTag(tag: string): string {
  return tag.trim().normalize('NFC')
}
