// Pages that the build includes in the script as text.
declare module '*.html' {
  const text: string;
  export default text;
}
