/** Returns the numbers that were typed between commas, semicolons or on lines of their own. */
export function numbersIn(typed: string): string[] {
  return typed
    .split(/[,;\n]/)
    .map((number) => number.trim())
    .filter(Boolean)
}
