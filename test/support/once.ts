/** A function that does its work once for each name, for several tests that look at different sides of the result. */
export function oncePerName<Result>(work: (name: string) => Result): (name: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (name) => {
    const known = results.get(name) ?? { result: work(name) };
    results.set(name, known);
    return known.result;
  };
}
