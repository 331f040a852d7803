/** The source of a module in Lua: bundled as text. */
declare module "*.lua" {
  const source: string;
  export default source;
}
