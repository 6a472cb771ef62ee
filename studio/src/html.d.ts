// Pages that the build puts into the script as text.
declare module '*.html' {
  const text: string;
  export default text;
}
