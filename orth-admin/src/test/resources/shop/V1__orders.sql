create table orders (id integer primary key);
