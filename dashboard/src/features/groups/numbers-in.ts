/** Returns the numbers that were typed between commas, semicolons or on lines of their own. */
export function splitNumbers(typed: string): string[] {
  return typed
    .split(/[,;\n]/)
    .map((number) => number.trim())
    .filter(Boolean)
}
