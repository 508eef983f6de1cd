export const Logo = () => (
  <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" />
    <circle cx="16" cy="16" r="8.5" />
    <path d="M16 10.5V16l3.6 2.4" />
  </svg>
);
