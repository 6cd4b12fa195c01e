import type { BinaryNode } from '@whiskeysockets/baileys'

export function findChild(parent: BinaryNode | undefined, tag: string): BinaryNode | undefined {
  return parent === undefined ? undefined : children(parent).find((child) => child.tag === tag)
}

export function children({ content }: BinaryNode): BinaryNode[] {
  return Array.isArray(content) ? content : []
}
