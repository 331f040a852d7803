/** The value of a leaf as text; other than `String`, it shows the sign of -0, as JSON and columns do. */
export function scalarText(value: string | number | bigint | boolean): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
