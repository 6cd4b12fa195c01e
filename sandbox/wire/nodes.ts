/** Building and reading the binary XML nodes in which the network speaks. */
import type { BinaryNode } from '@whiskeysockets/baileys'

export type Node = BinaryNode

/** A node without the attributes that are undefined. */
export function node(tag: string, attributes: Record<string, string | undefined>, content?: Node['content']): Node {
  const attrs: Record<string, string> = {}
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) attrs[key] = value
  }
  return content === undefined ? { tag, attrs } : { tag, attrs, content }
}

export function children(parent: Node | undefined, tag?: string): Node[] {
  if (!parent || !Array.isArray(parent.content)) return []
  return tag === undefined ? parent.content : parent.content.filter((item) => item.tag === tag)
}

export function child(parent: Node | undefined, tag: string): Node | undefined {
  if (!parent || !Array.isArray(parent.content)) return undefined
  return parent.content.find((item) => item.tag === tag)
}

/** The content of a leaf as bytes; empty when there is none. */
export function bytes(leaf: Node | undefined): Buffer {
  const content = leaf?.content
  if (content === undefined || Array.isArray(content)) return Buffer.alloc(0)
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
}

export function text(leaf: Node | undefined): string {
  return bytes(leaf).toString('utf8')
}

/** A number as the fixed-length big-endian bytes in which the network writes ids of keys. */
export function bigEndian(value: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  buffer.writeUIntBE(value, 0, length)
  return buffer
}

export function nowSeconds(): string {
  return Math.floor(Date.now() / 1000).toString()
}
