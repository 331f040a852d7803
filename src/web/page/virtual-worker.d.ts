/** The worker's script, which the build puts there. */
declare module "virtual:worker" {
  const source: string;
  export default source;
}
