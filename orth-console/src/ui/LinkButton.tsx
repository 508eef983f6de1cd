import { Button, type ButtonProps } from "antd";
import { useHref, useLinkClickHandler } from "react-router";

type Props = Pick<ButtonProps, "type" | "icon" | "size" | "children" | "danger" | "aria-label"> & { to: string };

/** A link that looks like a button, so that it can be opened in a new tab. */
export function LinkButton({ to, ...button }: Props) {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to);
  return <Button {...button} href={href} onClick={(event) => follow(event as React.MouseEvent<HTMLAnchorElement>)} />;
}
