/** Returns a text without this character at its end. A pattern such as `/=+$/` takes a time that grows with the square of the length. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
